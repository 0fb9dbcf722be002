/**
 * Which names exist, and what they answer besides the addresses of services: {@link io.ballast.dns.zone.tree.NameTree}
 * tells the names that are more than their records, {@code StoredZones} stores the others, {@code ZoneRecords}
 * compiles the records of one zone.
 */
@NullMarked
package io.ballast.dns.zone.tree;

import org.jspecify.annotations.NullMarked;
