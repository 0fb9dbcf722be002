package io.ballast.http.log;

/** Appends fields to log lines in text formats. An empty field is written as a hyphen. Stateless. */
final class TextField {

    private TextField() {}

    /** Appends a field; quotes and control characters in it are escaped, and a mark follows a truncated field. */
    static void append(AccessLogField field, LogRecord entry, LogLine target) {
        if (entry.length(field) == 0) {
            target.append((byte) '-');
            return;
        }
        LogEscaping.QUOTED.append(entry.bytes(), entry.offset(field), entry.length(field), target);
        if (entry.isTruncated(field)) {
            target.append(AccessLogField.TRUNCATION_MARK, 0, AccessLogField.TRUNCATION_MARK.length);
        }
    }

    /** Appends a space and a field. */
    static void appendAfterSpace(AccessLogField field, LogRecord entry, LogLine target) {
        target.append((byte) ' ');
        append(field, entry, target);
    }
}
