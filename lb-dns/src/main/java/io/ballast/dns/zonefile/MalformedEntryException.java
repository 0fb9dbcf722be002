package io.ballast.dns.zonefile;

/** An entry of a zone file cannot be read; the next one may be. */
final class MalformedEntryException extends Exception {

    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    MalformedEntryException(int line, int column, String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.line = line;
        this.column = column;
    }

    /** About a word of an entry; about its end if there is no such word. */
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
