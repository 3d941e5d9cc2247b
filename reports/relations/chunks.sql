-- Question:  which parts belong to which files, and where do they begin?
-- Grain:     one row a chunk of a file.
-- Caution:   the same chunk in two files may have one part: is_counted marks the place at which its deals
--            count.
with cut as (
    select
        file,
        finished_at,
        names[1] as file_name,
        generate_subscripts(chunks, 1) as chunk_number,
        unnest(chunks, recursive := true)  -- noqa: AL03
    from raw_ledger
),

placed as (
    select
        file,
        file_name,
        chunk_number,
        part,
        first_line,
        first_byte,
        lines,
        row_number() over (partition by part order by finished_at, file, chunk_number) = 1 as is_counted
    from cut
)

select * from placed
