package io.ballast.config.imports;

/**
 * Thrown inside an importer if Ballast's configuration format has no equivalent; the message names the
 * closest alternative.
 */
public final class UntranslatableException extends Exception {

    private static final long serialVersionUID = 1;

    /** Creates an exception; {@code nearest} describes the closest alternative and is empty if there is none. */
    public UntranslatableException(String nearest) {
        super(nearest);
    }

    /** Returns a description of the closest alternative in our format; empty if there is none. */
    public String nearest() {
        return String.valueOf(getMessage());
    }
}
