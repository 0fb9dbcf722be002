package io.ballast.core.control;

/**
 * An operator's change cannot be carried out now because the process ends, restarts, or is overloaded. The change itself is
 * valid and can be repeated. The message is for operators.
 */
public final class UnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
        super(message);
    }
}
