package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.net.IpAddress;
import java.util.List;
import java.util.Optional;

/** The kind of a health check and its settings. */
public sealed interface HealthCheck {

    /** The name of this kind of check in configuration files and on the dashboard. */
    String label();

    /** Returns the TLS settings of this check. */
    default CheckTls tls() {
        return CheckTls.NEVER;
    }

    /** No checks: the backend always counts as up. */
    record None() implements HealthCheck {
        @Override
        public String label() {
            return "none";
        }
    }

    /**
     * A TCP handshake, optionally followed by a short exchange. Each character of the texts is one byte.
     *
     * @param send the text to send first; at most {@value #MAX_TEXT} bytes
     * @param expected the expected text; at most {@value #MAX_TEXT} bytes
     */
    record Tcp(Optional<String> send, Optional<String> expected) implements HealthCheck {

        public static final int MAX_TEXT = 1024;

        public Tcp {
            check(send, "send");
            check(expected, "expect");
        }

        /** Creates a check that only performs the TCP handshake. */
        public Tcp() {
            this(Optional.empty(), Optional.empty());
        }

        private static void check(Optional<String> text, String name) {
            text.ifPresent(bytes -> Checks.that(
                    !bytes.isEmpty()
                            && bytes.length() <= MAX_TEXT
                            && bytes.chars().allMatch(each -> each <= 0xFF),
                    name,
                    bytes,
                    "1 to " + MAX_TEXT + " characters up to \\xff"));
        }

        @Override
        public String label() {
            return "tcp";
        }
    }

    /**
     * One HTTP request, with HTTP/1.1 unless ALPN negotiates HTTP/2.
     *
     * @param method the request method
     * @param path the request target in origin form
     * @param host the {@code Host} header; the backend's address if absent
     * @param expected accepted statuses; the status must be in one of the ranges
     * @param headers additional request headers
     * @param body the expected body of the response
     * @param tls whether and how TLS is used
     */
    record Http(
            String method,
            String path,
            Optional<String> host,
            List<StatusRange> expected,
            List<Header> headers,
            BodyCheck body,
            CheckTls tls)
            implements HealthCheck {

        public static final String DEFAULT_METHOD = "GET";
        public static final String DEFAULT_PATH = "/";
        public static final List<StatusRange> DEFAULT_EXPECTED = List.of(new StatusRange(200, 399));

        public Http {
            Checks.that(path.startsWith("/"), "path", path, "a path that starts with /");
            expected = List.copyOf(expected);
            headers = List.copyOf(headers);
        }

        /** Creates a check without additional headers that accepts any body and uses the TLS settings of the pool. */
        public Http(String method, String path, Optional<String> host, List<StatusRange> expected) {
            this(method, path, host, expected, List.of(), BodyCheck.ANY, CheckTls.OF_POOL);
        }

        @Override
        public String label() {
            return tls.isOn() ? "https" : "http";
        }
    }

    /**
     * One call of {@code grpc.health.v1.Health/Check}, over HTTP/2.
     *
     * @param service the name of the service; empty for the server as a whole
     * @param host the {@code :authority}; the backend's address if absent
     * @param tls the TLS settings
     */
    record Grpc(String service, Optional<String> host, CheckTls tls) implements HealthCheck {

        public static final int MAX_SERVICE = 200;

        public Grpc {
            Checks.that(service.length() <= MAX_SERVICE, "service", service, "at most " + MAX_SERVICE + " characters");
        }

        @Override
        public String label() {
            return "grpc";
        }
    }

    /**
     * A login to MySQL or MariaDB without a password, ended by {@code COM_QUIT}.
     *
     * @param user the account; 1 to {@value #MAX_USER} characters
     * @param tls whether TLS is negotiated after the server's greeting, as MySQL does
     */
    record Mysql(String user, CheckTls tls) implements HealthCheck {

        /** The default user name for the login of a health check. */
        public static final String DEFAULT_USER = "ballast";

        public static final int MAX_USER = 63;

        public Mysql {
            checkName(user, "user", MAX_USER);
        }

        @Override
        public String label() {
            return "mysql";
        }
    }

    /**
     * A {@code StartupMessage} to PostgreSQL. A request for a password counts as healthy, so the check needs no
     * password.
     *
     * @param user the account; 1 to {@value #MAX_NAME} characters. It need not exist if the server requests
     *     passwords
     * @param database the database; 1 to {@value #MAX_NAME} characters
     * @param tls whether TLS is negotiated first by {@code SSLRequest}
     */
    record Postgres(String user, String database, CheckTls tls) implements HealthCheck {

        /** The default user name for the login of a health check. */
        public static final String DEFAULT_USER = "ballast";

        /** The default database to which checks connect; every new PostgreSQL cluster contains it. */
        public static final String DEFAULT_DATABASE = "postgres";

        public static final int MAX_NAME = 63;

        public Postgres {
            checkName(user, "user", MAX_NAME);
            checkName(database, "database", MAX_NAME);
        }

        @Override
        public String label() {
            return "postgres";
        }
    }

    /**
     * {@code PING} to Redis or a server that uses its protocol.
     *
     * @param tls whether and how TLS is used
     */
    record Redis(CheckTls tls) implements HealthCheck {
        @Override
        public String label() {
            return "redis";
        }
    }

    /**
     * Reads the greeting of a mail server, then sends {@code EHLO} and {@code QUIT}.
     *
     * @param host the name that {@code EHLO} sends
     * @param tls whether and how TLS is used from the first byte on; {@code STARTTLS} is not used
     */
    record Smtp(String host, CheckTls tls) implements HealthCheck {

        /** The default name that a check sends with {@code EHLO}. */
        public static final String DEFAULT_HOST = "localhost";

        public static final int MAX_HOST = 255;

        public Smtp {
            checkName(host, "host", MAX_HOST);
        }

        @Override
        public String label() {
            return "smtp";
        }
    }

    /**
     * One DNS query over UDP, repeated over TCP if the response is truncated. The query requests no recursion.
     *
     * @param name an absolute name in lower case, without the trailing dot
     * @param type the record type, such as "A"
     * @param rcodes the accepted response codes, such as "NOERROR"
     * @param addresses the expected addresses; the answer must contain at least one of them; empty to accept any answer
     */
    record Dns(String name, String type, List<String> rcodes, List<IpAddress> addresses) implements HealthCheck {

        public static final String DEFAULT_TYPE = "A";
        public static final String DEFAULT_RCODE = "NOERROR";

        public Dns {
            rcodes = List.copyOf(rcodes);
            addresses = List.copyOf(addresses);
            Checks.that(!rcodes.isEmpty(), "expect", "[]", "a response code");
        }

        @Override
        public String label() {
            return "dns";
        }
    }

    /**
     * A program provided by the operator; exit code 0 means that the backend is up.
     *
     * @param command a program and its arguments, which are not interpreted by a shell
     */
    record Exec(List<String> command) implements HealthCheck {

        public Exec {
            command = List.copyOf(command);
            Checks.that(!command.isEmpty(), "command", "[]", "a program and its arguments");
        }

        @Override
        public String label() {
            return "exec";
        }
    }

    /**
     * One check over TLS; created from another check and the settings of a pool. Configuration files cannot
     * select it by name.
     *
     * @param request the check that runs over TLS
     * @param settings the TLS settings
     * @param protocol the protocol offered by ALPN, if any
     * @param backend the checked address; its host must be in the certificate
     */
    record Secured(HealthCheck request, BackendTls settings, Optional<BackendProtocol> protocol, Address backend)
            implements HealthCheck {
        @Override
        public String label() {
            return request.label();
        }
    }

    /**
     * A check whose connection begins with a PROXY protocol header without a client address; created from another
     * check and the settings of a pool. Configuration files cannot select it by name.
     *
     * @param request the check after the header, with or without TLS
     * @param version version of the header: 1 sends {@code UNKNOWN}, 2 sends {@code LOCAL}
     */
    record Proxied(HealthCheck request, SentProxyHeader version) implements HealthCheck {

        public Proxied {
            Checks.that(version != SentProxyHeader.NONE, "proxy_protocol", version, "v1 or v2");
        }

        @Override
        public String label() {
            return request.label();
        }
    }

    /**
     * One line of a request's head.
     *
     * @param name a token (RFC 9110 section 5.6.2) in the spelling that is sent
     * @param value printable ASCII
     */
    record Header(String name, String value) {
        public Header {
            HeaderField.checkName(name);
        }
    }

    /** Statuses from {@code low} to {@code high}, both included. */
    record StatusRange(int low, int high) {
        public StatusRange {
            Checks.between(low, 100, 599, "status");
            Checks.between(high, low, 599, "status");
        }

        @Override
        public String toString() {
            return low == high ? Integer.toString(low) : low + "-" + high;
        }
    }

    private static void checkName(String name, String key, int max) {
        Checks.that(
                name.length() <= max && !name.isEmpty() && name.chars().allMatch(each -> each > ' ' && each <= '~'),
                key,
                name,
                "1 to " + max + " ASCII characters without spaces");
    }
}
