-- Question:  which files were read, and what became of their records?
-- Grain:     one row a file.
-- Caution:   read = accepted + quarantined + skipped must hold; count_missing is what is not accounted for.
--            Accepted and skipped are counted from the stored parts, read is what the reader counted.
with stored as (
    select
        part,
        count(*) as stored
    from raw_deals
    group by part
),

copies as (
    select
        part,
        count(*) as copies
    from raw_duplicates
    group by part
),

bad as (
    select
        part,
        count(*) as bad
    from raw_quarantine
    group by part
),

in_files as (
    select
        chunks.file,
        sum(coalesce(stored.stored, 0))::bigint as stored,
        sum(if(chunks.is_counted, coalesce(copies.copies, 0), coalesce(stored.stored, 0)))::bigint as skipped,
        sum(coalesce(bad.bad, 0))::bigint as quarantined
    from chunks
    left join stored on chunks.part = stored.part
    left join copies on chunks.part = copies.part
    left join bad on chunks.part = bad.part
    group by chunks.file
),

balanced as (
    select
        ledger.file,
        ledger.names[1] as file_name,
        ledger.names,
        ledger.format,
        ledger.source,
        ledger.rules,
        ledger.read as count_read,
        coalesce(in_files.stored - in_files.skipped, 0) as count_accepted,
        coalesce(in_files.quarantined, 0) as count_quarantined,
        coalesce(in_files.skipped, 0) as count_skipped,
        ledger.read - coalesce(in_files.stored + in_files.quarantined, 0) as count_missing,
        ledger.blank_lines as count_blank_lines,
        len(ledger.chunks) as count_chunks,
        ledger.size_bytes,
        ledger.sha256,
        ledger.engine_version,
        ledger.finished_at,
        ledger.elapsed_ms
    from raw_ledger as ledger
    left join in_files on ledger.file = in_files.file
)

select * from balanced
