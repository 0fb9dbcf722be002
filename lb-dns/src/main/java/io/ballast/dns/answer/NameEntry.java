package io.ballast.dns.answer;

import org.jspecify.annotations.Nullable;

/**
 * A name that exists and is more than its records: the name of a zone, a service or a wildcard, or one that decides what
 * the names below it answer.
 *
 * @param here where it leads
 * @param below where names below it lead that do not exist
 * @param parentSide where its DS record stands if the zone delegates the name; null if it does not
 */
public record NameEntry(Place here, Place below, @Nullable Place parentSide) {}
