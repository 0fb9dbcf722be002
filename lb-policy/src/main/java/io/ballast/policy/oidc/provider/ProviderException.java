package io.ballast.policy.oidc.provider;

/**
 * Thrown if an OpenID provider fails, or sends an answer that cannot be used. The message contains no token and no
 * secret. The exception has no stack trace, because clients can cause it.
 */
public final class ProviderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The cause of a failure, which decides the response to the client. */
    public enum Kind {
        /** There was no answer in time, or the provider failed. */
        UNREACHABLE,
        /** The provider does not accept the code or the refresh token. */
        GRANT,
        /** The provider does not accept Ballast as a client, or its answer is not valid. */
        ANSWER,
        /** The ID token is not valid. */
        ID_TOKEN
    }

    private final Kind kind;

    public ProviderException(Kind kind, String message) {
        super(message, /* cause= */ null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
