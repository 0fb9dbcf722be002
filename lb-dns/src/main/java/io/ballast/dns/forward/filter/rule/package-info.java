/**
 * The rules of filter lists: parsing, conditions and limits.
 *
 * <p>Start with {@link io.ballast.dns.forward.filter.rule.RuleParser} and {@link
 * io.ballast.dns.forward.filter.rule.RuleSet}.
 */
@NullMarked
package io.ballast.dns.forward.filter.rule;

import org.jspecify.annotations.NullMarked;
