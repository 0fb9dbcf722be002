package io.ballast.dns.answer.data;

/**
 * A DNAME record (<a href="https://datatracker.ietf.org/doc/html/rfc6672">RFC 6672</a>): names below its owner become
 * names below its target.
 *
 * @param record the DNAME record
 * @param target target in lower case and wire format
 * @param ttlSeconds TTL of the record, and of the CNAME records synthesized from it
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared; queries read the arrays
public record Rewrite(Answer record, byte[] target, int ttlSeconds) {}
