package io.ballast.dns.zonefile;

/** Thrown when an entry of a zone file is malformed. Reading can continue with the next entry. */
final class MalformedEntryException extends Exception {

    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    MalformedEntryException(int line, int column, String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.line = line;
        this.column = column;
    }

    /** Creates an exception for a word of an entry, or for the end of the entry if there is no such word. */
    MalformedEntryException(ZoneFileEntry entry, int word, String message) {
        this(entry.line(word), entry.column(word), message);
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
