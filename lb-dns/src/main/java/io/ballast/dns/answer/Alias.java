package io.ballast.dns.answer;

import org.jspecify.annotations.Nullable;

/**
 * A CNAME record and where it leads, found out beforehand.
 *
 * @param record the CNAME record; its target is its last field, written whole or up to the name of the zone
 * @param target the canonical name, in lower case and wire format
 * @param leads where the target lies; null outside our zones
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read by queries
public record Alias(Answer record, byte[] target, @Nullable Place leads) {}
