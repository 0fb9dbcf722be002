/**
 * What is blocked, allowed and rewritten: lists of rules, and the tables that they become.
 *
 * <p>Read first {@link io.ballast.dns.forward.filter.rule.RuleParser}, which says what a line means; {@link
 * io.ballast.dns.forward.filter.FilterTable}, which judges names; the package {@code list},
 * which keeps the lists and makes the tables; {@link io.ballast.dns.forward.filter.ClientGroups}, which says for whom which lists
 * count; {@link io.ballast.dns.forward.filter.NameFilter}, which has all of it for those who answer. Further {@link io.ballast.dns.forward.filter.RewriteTable} answers names by
 * hand. What holds inside:
 *
 * <ul>
 *   <li>a line that is not understood in full is refused with its number: it never blocks more than its author meant;
 *   <li>a table is immutable; to judge a name allocates nothing and takes no lock;
 *   <li>nothing here waits, reads files or knows of threads.
 * </ul>
 */
@NullMarked
package io.ballast.dns.forward.filter;

import org.jspecify.annotations.NullMarked;
