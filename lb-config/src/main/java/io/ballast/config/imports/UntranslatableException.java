package io.ballast.config.imports;

/** Thrown inside an importer when something cannot be said in our form; the message names what comes nearest. */
public final class UntranslatableException extends Exception {

    private static final long serialVersionUID = 1;

    /** For a directive to which {@code nearest} comes nearest; empty if nothing does. */
    public UntranslatableException(String nearest) {
        super(nearest);
    }

    /** Returns the nearest equivalent. */
    public String nearest() {
        return String.valueOf(getMessage());
    }
}
