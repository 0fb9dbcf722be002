package io.ballast.dns.answer;

/**
 * A CNAME record and where it leads.
 *
 * @param record the CNAME record; its target is its last field, written whole or up to the name of the zone
 * @param target the canonical name, in lower case and wire format
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read by queries
public record Alias(Answer record, byte[] target) {}
