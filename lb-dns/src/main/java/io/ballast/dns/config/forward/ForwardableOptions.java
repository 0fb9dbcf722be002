package io.ballast.dns.config.forward;

import io.ballast.core.Checks;
import java.util.Map;

/**
 * The EDNS options of clients that may be forwarded to resolvers. EDNS is hop-by-hop (<a
 * href="https://datatracker.ietf.org/doc/html/rfc6891#section-6.2.6">RFC 6891 section 6.2.6</a>): options that
 * concern the connection or the server itself are never forwarded. Options that identify a device or a customer,
 * such as 65001 (MAC address), have a meaning for the resolver only.
 */
public final class ForwardableOptions {

    /** Maximum number of option codes of an upstream. */
    public static final int MAX_CODES = 16;

    /** Largest code that is not reserved. */
    public static final int MAX_CODE = 65_534;

    /** Options that are not forwarded, with the reason. */
    private static final Map<Integer, String> NOT_FORWARDED = Map.ofEntries(
            Map.entry(1, "LLQ, which needs a session with the client"),
            Map.entry(2, "UL, which belongs to dynamic updates"),
            Map.entry(3, "NSID, which this server answers"),
            Map.entry(8, "client subnet, for which there is client_subnet"),
            Map.entry(9, "EXPIRE, which belongs to zone transfers"),
            Map.entry(10, "COOKIE, which proves an address to the next server only"),
            Map.entry(11, "TCP keepalive, which concerns one connection"),
            Map.entry(12, "padding, which concerns one connection"),
            Map.entry(13, "CHAIN, which needs a session with the client"),
            Map.entry(15, "extended errors, which occur in responses only"),
            Map.entry(18, "report channel, which occurs in responses only"),
            Map.entry(19, "ZONEVERSION, which only authoritative servers answer"));

    private ForwardableOptions() {}

    /**
     * Returns the code if its option may be forwarded.
     *
     * @throws IllegalArgumentException if the option must not be forwarded; the message states the reason
     */
    public static int check(int code) {
        Checks.between(code, 1, MAX_CODE, "option");
        String reason = NOT_FORWARDED.get(code);
        if (reason != null) {
            throw new IllegalArgumentException(
                    "option: " + code + " (expected: an option for the resolver, not " + reason + ")");
        }
        return code;
    }
}
