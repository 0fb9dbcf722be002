package io.ballast.config.imports;

/** Thrown when a foreign file cannot be read: it is not there, too large, or not in its grammar. The message is for people. */
public final class ImportException extends Exception {

    private static final long serialVersionUID = 1;

    /** With the location and a description of the error. */
    public ImportException(String message) {
        super(message);
    }
}
