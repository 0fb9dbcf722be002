package io.ballast.dns.answer.data;

import org.jspecify.annotations.Nullable;

/**
 * A name that has more than plain records: the name of a zone, a service or a wildcard, or one that affects the answers
 * for names below it.
 *
 * @param here the place of the name itself
 * @param below the place of non-existent names below it
 * @param parentSide the place of its DS record if the zone delegates the name; null if it does not
 */
public record NameEntry(
        NameLookupResult here,
        NameLookupResult below,
        @Nullable NameLookupResult parentSide) {}
