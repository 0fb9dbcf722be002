package io.ballast.http.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * A syslog server and the header of its messages (RFC 5424).
 *
 * @param facility the facility of the messages
 * @param appName the field APP-NAME
 * @param hostname the field HOSTNAME; the name of the system if absent
 * @param maxBytes the maximum length of a message; longer messages are truncated
 * @param tls how a server with the transport TLS is verified
 */
public record SyslogConfig(
        SyslogServer server,
        Facility facility,
        String appName,
        Optional<String> hostname,
        int maxBytes,
        SyslogTls tls) {

    public static final String DEFAULT_APP_NAME = "ballast";
    public static final int DEFAULT_MAX_BYTES = 8 * 1024;
    /** The length that every receiver must accept (RFC 5424 section 6.1). */
    public static final int MIN_MAX_BYTES = 480;
    /** The longest message that a datagram can contain, rounded down. */
    public static final int MAX_MAX_BYTES = 65_000;

    private static final String APP_NAME = "[!-~]{1,48}";
    private static final String HOSTNAME = "[!-~]{1,255}";

    /** The part of a system that sends a message; the ordinal is its number in RFC 5424. */
    public enum Facility {
        KERN,
        USER,
        MAIL,
        DAEMON,
        AUTH,
        SYSLOG,
        LPR,
        NEWS,
        UUCP,
        CRON,
        AUTHPRIV,
        FTP,
        NTP,
        AUDIT,
        ALERT,
        CLOCK,
        LOCAL0,
        LOCAL1,
        LOCAL2,
        LOCAL3,
        LOCAL4,
        LOCAL5,
        LOCAL6,
        LOCAL7
    }

    public SyslogConfig {
        Checks.that(appName.matches(APP_NAME), "app_name", appName, "1 to 48 characters of printable ASCII");
        hostname.ifPresent(name ->
                Checks.that(name.matches(HOSTNAME), "hostname", name, "1 to 255 characters of printable ASCII"));
        Checks.between(maxBytes, MIN_MAX_BYTES, MAX_MAX_BYTES, "max_size");
    }

    /**
     * Creates the configuration of a server that is verified by its IP address and the authorities that the Java
     * runtime trusts.
     */
    public SyslogConfig(
            SyslogServer server, Facility facility, String appName, Optional<String> hostname, int maxBytes) {
        this(server, facility, appName, hostname, maxBytes, SyslogTls.DEFAULT);
    }
}
