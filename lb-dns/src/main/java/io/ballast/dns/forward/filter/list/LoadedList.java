package io.ballast.dns.forward.filter.list;

import io.ballast.core.FileState;
import io.ballast.dns.forward.filter.rule.RuleSet;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading a list.
 *
 * @param rules the rules of the list; null if the rules have not changed
 * @param validators the cache validators of a downloaded list
 * @param file the state of the file before it was read; null for a URL
 * @param readTime the time at which this version was read
 */
record LoadedList(
        @Nullable RuleSet rules,
        CacheValidators validators,
        @Nullable FileState file,
        Instant readTime) {}
