package io.ballast.policy.jwt.token;

/** The reasons for refusing a request, with the parts of the response that describe them (RFC 6750 section 3.1). */
public enum TokenProblem implements TokenResult {
    /** The request has no token; its response has no error code. */
    MISSING(401, "jwt_missing", "", ""),
    REPEATED(400, "jwt_repeated", "invalid_request", "the request has more than one token"),
    TOO_LARGE(401, "jwt_too_large", "the token is longer than 8192 bytes"),
    MALFORMED(401, "jwt_malformed", "the token is malformed"),
    ALGORITHM(401, "jwt_algorithm", "the signature algorithm is not accepted"),
    CRITICAL(401, "jwt_critical", "the token requires an unknown extension"),
    TYPE(401, "jwt_type", "the type of the token is not accepted"),
    NO_EXPIRY(401, "jwt_no_expiry", "the token has no expiration time"),
    EXPIRED(401, "jwt_expired", "the token has expired"),
    NOT_YET_VALID(401, "jwt_not_yet_valid", "the token is not valid yet"),
    ISSUER(401, "jwt_issuer", "the issuer is not accepted"),
    AUDIENCE(401, "jwt_audience", "the token is for another audience"),
    KEY(401, "jwt_key", "no key matches the token"),
    SIGNATURE(401, "jwt_signature", "the signature is not valid"),
    INSUFFICIENT(403, "jwt_claims", "insufficient_scope", "the token does not permit the request");

    private final int status;
    private final String reason;
    private final String error;
    private final String description;

    TokenProblem(int status, String reason, String description) {
        this(status, reason, "invalid_token", description);
    }

    TokenProblem(int status, String reason, String error, String description) {
        this.status = status;
        this.reason = reason;
        this.error = error;
        this.description = description;
    }

    public int status() {
        return status;
    }

    /** The reason for the access log. */
    public String reason() {
        return reason;
    }

    /** The value of {@code error}; empty for none. */
    public String error() {
        return error;
    }

    /** The value of {@code error_description}; empty for none. */
    public String description() {
        return description;
    }
}
