package io.ballast.dashboard.source;

import java.time.Instant;

/**
 * One entry of the DNS query log.
 *
 * @param client the client's address as logged, perhaps truncated; empty if it is not logged
 * @param transport such as {@code udp}
 * @param name in lower case, without the final dot; {@code .} for the root
 * @param outcome such as {@code hit}
 * @param decidedBy the zone, list or resolver that determined the response; empty if none did
 * @param micros time from the query to the response
 * @param bytes size of the response
 */
public record LoggedQuery(
        Instant time,
        String client,
        String transport,
        String name,
        String type,
        String rcode,
        String outcome,
        String decidedBy,
        long micros,
        int bytes) {}
