package io.ballast.dns.answer;

import org.jspecify.annotations.Nullable;

/**
 * A name that exists.
 *
 * @param wire in lower case and wire format
 * @param here where it leads
 * @param below where names below it lead that do not exist
 * @param parentSide where its DS record stands, which belongs to the zone above; null if that is not ours
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read on every query
public record NameEntry(
        byte[] wire, Place here, Place below, @Nullable Place parentSide) {}
