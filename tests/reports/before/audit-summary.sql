-- Question:  what is wrong in which file?
-- Grain:     one row a file and finding code, quarantined records included; a file without any has one
--            row.
-- Caution:   findings about a whole match that no line is to blame for name no record, and may have no
--            file.  The balance of the file's records (read = accepted + quarantined + skipped) stands
--            beside every row of it.  Rules make no difference here: a file that holds records of several
--            rule sets has them in one row.
with found as (
    select
        file,
        code,
        severity,
        line,
        source,
        match,
        deal,
        expected,
        found
    from findings
    where
        ($source::varchar is null or source is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($include_copies or not is_copy)
    union all by name
    select
        quarantine.file,
        quarantine.code,
        finding_codes.severity,
        quarantine.line,
        quarantine.message as found
    from quarantine
    left join finding_codes on quarantine.code = finding_codes.code
    where $match::varchar is null and ($include_copies or not quarantine.is_copy)
),

counted as (
    select
        file,
        code,
        severity,
        count(*) as findings,
        count(distinct line) as records,
        min(line) as first_line,
        min_by(match, (line, source, match, deal)) as example_match,
        min_by(deal, (line, source, match, deal)) as example_deal,
        min_by(expected, (line, source, match, deal)) as example_expected,
        min_by(found, (line, source, match, deal)) as example_found
    from found
    group by file, code, severity
),

summary as (
    select
        coalesce(files.file_name, '(whole matches)') as file_name,
        counted.severity,
        coalesce(counted.code, '(no findings)') as code,
        coalesce(counted.findings, 0) as findings,
        coalesce(counted.records, 0) as records,
        nullif(counted.records, 0) / nullif(files.count_read, 0) as records_rate,
        wilson_low(nullif(counted.records, 0), nullif(files.count_read, 0)) as records_low,
        wilson_high(nullif(counted.records, 0), nullif(files.count_read, 0)) as records_high,
        counted.first_line,
        counted.example_match,
        counted.example_deal,
        counted.example_expected,
        counted.example_found,
        finding_codes.meaning,
        files.count_read,
        files.count_accepted,
        files.count_quarantined,
        files.count_skipped,
        files.count_missing,
        coalesce(counted.file, files.file) as file
    from counted
    full outer join files on counted.file = files.file
    left join finding_codes on counted.code = finding_codes.code
    order by
        case counted.severity
            when 'error' then 1
            when 'illegal' then 2
            when 'mismatch' then 3
            when 'irregularity' then 4
            when 'notice' then 5
            else 6
        end asc,
        findings desc,
        code asc,
        file_name asc,
        file asc
)

select * from summary
