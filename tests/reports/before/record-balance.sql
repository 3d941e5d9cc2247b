-- Question:  is every record accounted for?
-- Grain:     one row a file.
-- Caution:   count_missing = read - accepted - quarantined - skipped; anything but 0 is a fault of the
--            warehouse.
with summary as (
    select
        file_name,
        format,
        count_read,
        count_accepted,
        count_quarantined,
        count_skipped,
        count_missing,
        count_blank_lines,
        count_chunks,
        size_bytes,
        engine_version,
        finished_at,
        elapsed_ms,
        file
    from files
    order by file_name, file
)

select * from summary
