/**
 * Reads the records of zones ({@link io.ballast.dns.zone.source.ZoneSource}: a zone file, or the configuration) and
 * reports their problems ({@link io.ballast.dns.zone.source.ZoneFindings}).
 */
@NullMarked
package io.ballast.dns.zone.source;

import org.jspecify.annotations.NullMarked;
