package io.ballast.dns.answer.data;

import org.jspecify.annotations.Nullable;

/**
 * A name that has more than plain records: a zone apex, a service, a wildcard, or a name that affects the
 * answers for names below it.
 *
 * @param here the lookup result of the name itself
 * @param below the lookup result of non-existent names below it
 * @param parentSide the lookup result for its DS record if the zone delegates the name; otherwise null
 */
public record NameEntry(
        NameLookupResult here,
        NameLookupResult below,
        @Nullable NameLookupResult parentSide) {}
