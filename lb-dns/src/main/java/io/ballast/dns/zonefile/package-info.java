/**
 * Zone files as text: lines, directives and records, each with its place.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.zonefile.ZoneFileReader} reads a file and those that it includes.
 *   <li>{@link io.ballast.dns.zonefile.RecordSink} takes the records one by one, so that no file is held whole.
 *   <li>{@link io.ballast.dns.zonefile.FileProblems} gathers what is wrong, each a {@link
 *       io.ballast.dns.zonefile.FileProblem} at a {@link io.ballast.dns.zonefile.ZoneFilePosition}.
 * </ul>
 *
 * <p>What the records mean together is judged by {@code io.ballast.dns.zone.source}. Read by one thread, before a
 * zone is served.
 */
@NullMarked
package io.ballast.dns.zonefile;

import org.jspecify.annotations.NullMarked;
