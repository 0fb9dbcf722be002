package io.ballast.dns.querylog;

/**
 * One answered query as log and statistics see it. Made on the log's thread, not on those that answer.
 *
 * @param client address in text, already anonymised, or "" if left out
 * @param name in text, lower case, without final dot; "." for the root
 * @param by the zone, list (and rule), or upstream that decided, "" if none
 * @param micros from the query's arrival to its answer
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
