package io.ballast.dns.forward.filter.list;

import io.ballast.core.FileState;
import io.ballast.dns.forward.filter.rule.RuleSet;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What came of reading a list.
 *
 * @param rules null if they have not changed
 * @param validators of a URL
 * @param file how the file was before it was read; null for a URL
 * @param read when its source told them
 */
record LoadedList(
        @Nullable RuleSet rules,
        Validators validators,
        @Nullable FileState file,
        Instant read) {}
