/**
 * The records of zones by name and type, stored in arrays. {@link io.ballast.dns.zone.contents.ZoneContents}
 * stores the records of a zone, and {@link io.ballast.dns.zone.contents.RecordSet} those of one name and
 * type. {@link io.ballast.dns.zone.contents.RecordWriter} writes them into answers. {@link
 * io.ballast.dns.zone.contents.HeapBudget} limits their memory. This package is independent of where records
 * come from and who uses them.
 */
@NullMarked
package io.ballast.dns.zone.contents;

import org.jspecify.annotations.NullMarked;
