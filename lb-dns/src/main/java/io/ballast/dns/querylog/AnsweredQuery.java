package io.ballast.dns.querylog;

/**
 * One answered query as log and statistics see it. Made on the log's thread, not on those that answer.
 *
 * @param epochMillis when it came
 * @param client address in text, already anonymised, or "" if left out
 * @param transport udp, tcp, dot or doh
 * @param name in text, lower case, without final dot ("." for the root)
 * @param type of the records that were asked for, such as AAAA
 * @param rcode of the answer, such as NXDOMAIN
 * @param by the zone, list, or upstream that decided, "" if none
 * @param micros from the query's arrival to its answer
 * @param responseBytes length of the answer
 */
public record AnsweredQuery(
        long epochMillis,
        String client,
        String transport,
        String name,
        String type,
        String rcode,
        Outcome outcome,
        String by,
        long micros,
        int responseBytes) {}
