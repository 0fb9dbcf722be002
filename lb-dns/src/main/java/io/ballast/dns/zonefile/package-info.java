/**
 * Zone files as text: lines, directives and records, each with its position.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.zonefile.ZoneFileReader} reads a file and its includes.
 *   <li>{@link io.ballast.dns.zonefile.RecordSink} receives the records one by one, so that no file is held
 *       in memory as a whole.
 *   <li>{@link io.ballast.dns.zonefile.FileProblems} collects the problems, each a {@link
 *       io.ballast.dns.zonefile.FileProblem} at a {@link io.ballast.dns.zonefile.ZoneFilePosition}.
 * </ul>
 *
 * <p>{@code io.ballast.dns.zone.source} checks the records of a zone as a whole. Files are read by one
 * thread, before a zone is served.
 */
@NullMarked
package io.ballast.dns.zonefile;

import org.jspecify.annotations.NullMarked;
