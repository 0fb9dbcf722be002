package io.ballast.core.control;

/**
 * Thrown if an operator's change cannot be carried out now because the process is stopping, restarting or
 * overloaded. The change itself is valid and can be tried again. The message is intended for operators.
 */
public final class UnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
        super(message);
    }
}
