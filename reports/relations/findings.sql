-- Question:  what is wrong, and where?
-- Grain:     one row a finding and file: of the deal pass, of the match pass, and about files.
-- Caution:   a chunk that stands in two files shows its findings in both; is_copy marks findings on
--            records that do not count because another copy does.  line is the line in the file, null for
--            a whole match.
with of_deals as (
    select
        found.* exclude (part, line, byte),
        'deal' as pass,
        chunks.file,
        chunks.file_name,
        chunks.first_line + found.line - 1 as line,
        not chunks.is_counted or copies.part is not null as is_copy
    from raw_findings as found
    inner join chunks on found.part = chunks.part
    left join raw_duplicates as copies
        on
            found.part = copies.part
            and found.line = copies.line
            and found.byte = copies.byte
),

of_matches as (
    select
        found.* exclude (file, line, byte),
        if(found.match is null, 'file', 'match') as pass,
        found.file,
        ledger.names[1] as file_name,
        found.line,
        false as is_copy
    from raw_match_findings as found
    left join raw_ledger as ledger on found.file = ledger.file
),

united as (
    select * from of_deals
    union all by name
    select * from of_matches
)

select * from united
