-- Question:  which records could not be read, and why?
-- Grain:     one row a record that could not be read, and file.
with placed as (
    select
        chunks.file,
        chunks.file_name,
        chunks.first_line + bad.line - 1 as line,
        chunks.first_byte + bad.byte as byte,
        bad.code,
        bad.message,
        bad.problems,
        bad.raw,
        not chunks.is_counted as is_copy
    from raw_quarantine as bad
    inner join chunks on bad.part = chunks.part
)

select * from placed
