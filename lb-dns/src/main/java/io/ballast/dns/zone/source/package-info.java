/**
 * Where the records of a zone come from ({@link io.ballast.dns.zone.source.ZoneSource}: a zone file, or the
 * configuration), and what is to be said about them ({@link io.ballast.dns.zone.source.ZoneFindings}).
 */
@NullMarked
package io.ballast.dns.zone.source;

import org.jspecify.annotations.NullMarked;
