/**
 * The filter of names: rule lists, compiled tables, client groups and rewrites.
 *
 * <p>Read first {@link io.ballast.dns.forward.filter.rule.RuleParser}, which parses lines; {@link
 * io.ballast.dns.forward.filter.FilterTable}, which decides whether names are blocked; the package {@code
 * list}, which reads lists and compiles tables; {@link io.ballast.dns.forward.filter.ClientGroups}, which
 * selects the lists of a client; {@link io.ballast.dns.forward.filter.NameFilter}, which answering threads
 * use. {@link io.ballast.dns.forward.filter.RewriteTable} contains configured answers. Invariants:
 *
 * <ul>
 *   <li>a line that the parser cannot interpret completely is rejected and reported with its number, so it
 *   never blocks more than intended;
 *   <li>a table is immutable; a lookup allocates nothing and takes no lock;
 *   <li>this package does not block, read files or use threads.
 * </ul>
 */
@NullMarked
package io.ballast.dns.forward.filter;

import org.jspecify.annotations.NullMarked;
