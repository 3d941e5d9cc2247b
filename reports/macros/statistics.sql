-- Statistics: rates and their intervals.  One macro a statement; created before the relations.
--
-- z = 1.959964 is the 97.5 % point of the normal distribution.
--
-- Wilson's 95 % interval of k successes in n trials.
-- Source: E. B. Wilson, Probable inference, JASA 22 (1927) 209-212.
create or replace temp macro wilson_centre(k, n) as
(k / nullif(n, 0) + 1.959964 * 1.959964 / 2 / nullif(n, 0)) / (1 + 1.959964 * 1.959964 / nullif(n, 0));

create or replace temp macro wilson_half(k, n) as
1.959964 / (1 + 1.959964 * 1.959964 / nullif(n, 0))
* sqrt(
    greatest(k / nullif(n, 0) * (1 - k / nullif(n, 0)) / nullif(n, 0), 0)
    + 1.959964 * 1.959964 / 4 / nullif(n, 0) / nullif(n, 0)
);

create or replace temp macro wilson_low(k, n) as
if(n > 0, greatest(wilson_centre(k, n) - wilson_half(k, n), 0), null);

create or replace temp macro wilson_high(k, n) as
if(n > 0, least(wilson_centre(k, n) + wilson_half(k, n), 1), null);

-- Deals of one match are not independent.  With k_m successes in the n_m trials of match m, M matches,
-- r = k / n, the linearised variance of the ratio r is  M / (M - 1) * sum_m (k_m - r n_m)^2 / n^2,  and the
-- sum needs only sum_kk = sum k_m^2, sum_kn = sum k_m n_m, sum_nn = sum n_m^2.
-- Source: W. G. Cochran, Sampling Techniques, 3rd ed. (1977), section 6.3 (ratio estimate), clusters as
-- units.
create or replace temp macro cluster_variance(k, n, matches, sum_kk, sum_kn, sum_nn) as
matches / nullif(matches - 1, 0)
* greatest(sum_kk - 2 * (k / nullif(n, 0)) * sum_kn + (k / nullif(n, 0)) * (k / nullif(n, 0)) * sum_nn, 0)
/ nullif(n, 0) / nullif(n, 0);

-- The number of independent trials that are worth as much: n by the design effect (variance by match over
-- that of independent trials).  The design effect is taken as 1 where it comes out lower or cannot be
-- estimated (fewer than two matches, or a rate of 0 or 1), which leaves Wilson's plain interval.
-- Source: L. Kish, Survey Sampling (1965); interval at the effective n as in E. L. Korn, B. I. Graubard,
-- Survey Methodology 24 (1998) 193-201.
create or replace temp macro effective_n(k, n, matches, sum_kk, sum_kn, sum_nn) as
n / greatest(
    coalesce(
        cluster_variance(k, n, matches, sum_kk, sum_kn, sum_nn)
        / nullif(k / nullif(n, 0) * (1 - k / nullif(n, 0)) / nullif(n, 0), 0),
        1
    ),
    1
);

-- A list of one value stands for a name of that value: written out at each of its places, the expression has
-- thousands of terms, and planning it takes longer than anything else in a report.
create or replace temp macro rate_low(k, n, matches, sum_kk, sum_kn, sum_nn) as
list_transform(
    [effective_n(k, n, matches, sum_kk, sum_kn, sum_nn)],
    lambda trials: wilson_low(k / nullif(n, 0) * trials, trials)
)[1];

create or replace temp macro rate_high(k, n, matches, sum_kk, sum_kn, sum_nn) as
list_transform(
    [effective_n(k, n, matches, sum_kk, sum_kn, sum_nn)],
    lambda trials: wilson_high(k / nullif(n, 0) * trials, trials)
)[1];

-- 97.5 % point of Student's t: exact for 1 and 2 degrees of freedom, else Fisher's expansion (error below
-- 0.2 %).
-- Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.5.
create or replace temp macro t_975(df) as
case
    when df < 1 then null
    when df = 1 then 12.706205
    when df = 2 then 4.302653
    else 1.959964
        + 2.372271 / df
        + 2.822499 / df / df
        + 2.555852 / df / df / df
        + 1.589536 / df / df / df / df
end;

-- Half the width of the 95 % interval of a mean of n values summing to k, over matches as above: t with
-- M - 1 degrees of freedom times the root of the variance by match; null for fewer than two matches.
create or replace temp macro mean_half(k, n, matches, sum_kk, sum_kn, sum_nn) as
t_975(matches - 1) * sqrt(cluster_variance(k, n, matches, sum_kk, sum_kn, sum_nn));
