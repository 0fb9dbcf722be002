package io.ballast.config.imports;

/**
 * Thrown if an imported configuration file (HAProxy, nginx, Divisor) is missing, too large or violates its
 * grammar. The message is intended for users.
 */
public final class ImportException extends Exception {

    private static final long serialVersionUID = 1;

    /** Creates an exception; the message contains the location and a description of the error. */
    public ImportException(String message) {
        super(message);
    }
}
