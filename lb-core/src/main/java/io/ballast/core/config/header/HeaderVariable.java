package io.ballast.core.config.header;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The variables in header values. Each has one value for a whole exchange. */
public enum HeaderVariable {
    /**
     * The client's address without the port; behind trusted proxies, it is the address that the proxies report.
     */
    REMOTE_ADDR("remote_addr"),
    /** The time at which the head was written: RFC 3339, UTC, whole seconds. */
    TIME("time"),
    /** The time with milliseconds. */
    TIME_MS("time_ms"),
    /** A random UUID (RFC 9562 version 4). */
    UUID("uuid"),
    /** A counter that starts at 1; every exchange of the listener that uses the variable increments it. */
    INCREMENTAL("incremental"),
    /** The requested host without a port. */
    HOST("host"),
    /** The ID of the exchange, which the access log and error responses also contain. */
    REQUEST_ID("request_id"),
    /** The backend's address; empty if no backend answers. */
    BACKEND("backend"),
    /** The TLS version of the client's connection, such as TLSv1.3; empty without TLS. */
    TLS_VERSION("tls_version"),
    /** The cipher suite of the client's connection; empty without TLS. */
    TLS_CIPHER("tls_cipher"),
    /** The server name of the TLS handshake (SNI); empty if there was none. */
    TLS_SERVER_NAME("tls_server_name"),
    /** The subject of the client's certificate; empty if there was none. */
    TLS_CLIENT_SUBJECT("tls_client_subject"),
    /** The ID of the request's trace, as 32 hexadecimal digits; empty if no tracing policy applies. */
    TRACE_ID("trace_id"),
    /** The token of a sticky session, for the cookie that the balancer sets. Configuration files cannot use it. */
    TOKEN(""),
    /** Complete header lines that policies add to the request. Configuration files cannot use it. */
    REQUEST_POLICY_LINES(""),
    /** Complete header lines that policies add to the response. Configuration files cannot use it. */
    RESPONSE_POLICY_LINES("");

    private final String label;

    HeaderVariable(String label) {
        this.label = label;
    }

    /** The name in files, without the dollar sign. */
    public String label() {
        return label;
    }

    /** Finds a variable by its name, without the dollar sign. */
    public static Optional<HeaderVariable> named(String name) {
        return Arrays.stream(values())
                .filter(variable -> !name.isEmpty() && variable.label.equals(name))
                .findFirst();
    }

    /** Returns the names of all variables, each with a dollar sign. */
    public static List<String> names() {
        return Arrays.stream(values())
                .filter(variable -> !variable.label.isEmpty())
                .map(variable -> "$" + variable.label)
                .toList();
    }
}
