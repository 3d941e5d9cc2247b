-- Question:  everything that is wrong, in one list?
-- Grain:     one row a finding, and one row a fault of a record in quarantine.
-- Caution:   as of findings and quarantine; code, expected and found of a quarantined record say what
--            could not be read.
with faults as (
    select
        file,
        file_name,
        line,
        is_copy,
        unnest(problems, recursive := true)  -- noqa: AL03
    from quarantine
),

of_quarantine as (
    select
        'record' as pass,
        faults.file,
        faults.file_name,
        faults.line,
        faults.is_copy,
        faults.code,
        'error' as severity,
        'a record that can be read' as expected,
        faults.message as found
    from faults
),

united as (
    select * from findings
    union all by name
    select * from of_quarantine
)

select * from united
