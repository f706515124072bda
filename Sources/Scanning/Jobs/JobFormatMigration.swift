import GRDB

/// Rewrites the JSON of older `jobs.sqlite` files: events as they are sent, books as one object, problems as RFC 9457
/// has them, options by their names in the API.
enum JobFormatMigration {
    static func run(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE job SET
                    books = (SELECT json_group_array(json(\(flatBook("value")))) FROM json_each(books)),
                    options = json_patch(
                        json_object(
                            'threshold', json_extract(options, '$.threshold'),
                            'import', json(iif(json_extract(options, '$.importsResults'), 'true', 'false')),
                            'shelf', json_extract(options, '$.shelf'), 'reader', json_extract(options, '$.reader'),
                            'preprocess', json_extract(options, '$.preprocessing')),
                        json_object('app', json_extract(options, '$.app')));
                UPDATE photo SET problem = \(problem("problem")) WHERE problem IS NOT NULL;
                UPDATE event SET content = (
                    SELECT json_object(
                        'type', CASE key WHEN 'bookProgress' THEN 'book_progress'
                            WHEN 'enrichmentDegraded' THEN 'enrichment_degraded' ELSE key END,
                        'data', json(CASE key
                            WHEN 'photo' THEN CASE WHEN json_type(data, '$.problem') IS NULL THEN data
                                ELSE json_set(data, '$.problem', json(\(problem("json_extract(data, '$.problem')")))) END
                            WHEN 'segmented' THEN json_set(data, '$.totalBooks', json_array_length(data, '$.spines'))
                            WHEN 'result' THEN json_object(
                                'photo', json_extract(data, '$.photo'), 'book', json(\(flatBook("data"))))
                            WHEN 'enriched' THEN json_remove(
                                json_set(data, '$.bookId', json_extract(data, '$.bookID'),
                                    '$.enrichment', json_extract(data, '$.state')), '$.bookID', '$.state')
                            WHEN 'completed' THEN json_object('summary', json(data))
                            WHEN 'canceled' THEN '{"message":"The scan was cancelled."}'
                            ELSE data END))
                    FROM (SELECT key, json_extract(value, '$._0') AS data FROM json_each(content)));
                """)
    }

    /// A job's book with the fields of the detected book among its own.
    private static func flatBook(_ book: String) -> String {
        """
        json_set(
            json_extract(\(book), '$.book'), '$.id', json_extract(\(book), '$.id'),
            '$.photo', json_extract(\(book), '$.photo'), '$.enrichment', json_extract(\(book), '$.enrichment'),
            '$.positions', json(replace(json_extract(\(book), '$.positions'), '"bookID":', '"bookId":')),
            '$.metadata', json(coalesce(json_extract(\(book), '$.metadata'), 'null')))
        """
    }

    private static func problem(_ problem: String) -> String {
        """
        json_object(
            'type', '/problems/' || replace(json_extract(\(problem), '$.code'), '_', '-'), 'title', 'Photo not read',
            'status', iif(json_extract(\(problem), '$.retryable'), 503, 422),
            'detail', json_extract(\(problem), '$.message'), 'code', json_extract(\(problem), '$.code'),
            'retryable', json(iif(json_extract(\(problem), '$.retryable'), 'true', 'false')))
        """
    }
}
