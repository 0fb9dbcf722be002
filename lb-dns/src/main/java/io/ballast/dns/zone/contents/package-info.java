/**
 * The records of zones by name and type, in arrays: {@link io.ballast.dns.zone.contents.ZoneContents} stores those of
 * a zone, {@link io.ballast.dns.zone.contents.RecordSet} those of one name and type, {@link
 * io.ballast.dns.zone.contents.RecordWriter} writes them into answers. {@link
 * io.ballast.dns.zone.contents.HeapBudget} limits their memory. Independent of sources and clients.
 */
@NullMarked
package io.ballast.dns.zone.contents;

import org.jspecify.annotations.NullMarked;
