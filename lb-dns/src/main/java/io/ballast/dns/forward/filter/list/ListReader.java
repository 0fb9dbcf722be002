package io.ballast.dns.forward.filter.list;

import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.RuleSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads lists from their sources. It waits for files and servers, so it is never called on the control plane.
 *
 * <p>Thread safety: any thread may call it, but only one thread at a time for the same list. The rules of
 * only one list are parsed at a time, which limits memory.
 */
final class ListReader {

    private static final Logger LOG = LoggerFactory.getLogger(ListReader.class);

    private final ListDownload download;
    private final ListCache cache;
    private final Clock clock;
    private final int maxRules;
    private final Set<String> groups;
    private final Object parseLock = new Object();

    ListReader(ListDownload download, ListCache cache, Clock clock, int maxRules, Set<String> groups) {
        this.download = download;
        this.cache = cache;
        this.clock = clock;
        this.maxRules = maxRules;
        this.groups = groups;
    }

    /**
     * Reads a list without network access. Returns empty for a URL that was never fetched or has no usable stored
     * version.
     */
    Optional<LoadedList> readLocal(ListSource source) throws IOException {
        ListLocation location = source.location();
        if (location instanceof ListLocation.InFile in) {
            return Optional.of(readFile(source, in.file(), /* known= */ null, /* minRules= */ 0));
        }
        if (location instanceof ListLocation.Inline inline) {
            return Optional.of(readInline(inline));
        }
        return readCached(source, (ListLocation.AtUrl) location);
    }

    private LoadedList readInline(ListLocation.Inline inline) throws IOException {
        RuleSet rules;
        try {
            rules = RuleSet.of(inline.lines(), maxRules, groups::contains);
        } catch (FilterLimitException e) {
            throw new IOException(ErrorText.of(e), e);
        }
        if (rules.refusedCount() > 0) {
            throw new IOException(rules.refusals().get(0).toString());
        }
        return new LoadedList(rules, CacheValidators.NONE, /* file= */ null, clock.instant());
    }

    private Optional<LoadedList> readCached(ListSource source, ListLocation.AtUrl location) {
        Optional<ListCache.StoredList> found = cache.find(location.url());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ListCache.StoredList stored = found.get();
        try {
            RuleSet rules = parseRules(stored.file(), source);
            return Optional.of(new LoadedList(rules, stored.validators(), /* file= */ null, stored.readTime()));
        } catch (IOException e) {
            return Optional.empty(); // the list is downloaded again; if the download fails, the failure is reported
        }
    }

    /**
     * Reads the source again.
     *
     * @param known the previous version; null if there is none
     * @param minRules minimum number of rules; reading fails if there are fewer
     */
    LoadedList refresh(ListSource source, @Nullable LoadedList known, int minRules)
            throws IOException, InterruptedException {
        ListLocation location = source.location();
        if (location instanceof ListLocation.InFile in) {
            return readFile(source, in.file(), known, minRules);
        }
        if (location instanceof ListLocation.AtUrl at) {
            return fetch(source, at, known == null ? CacheValidators.NONE : known.validators(), minRules);
        }
        return readInline((ListLocation.Inline) location);
    }

    private LoadedList readFile(ListSource source, Path file, @Nullable LoadedList known, int minRules)
            throws IOException {
        Instant now = clock.instant();
        FileState state = FileState.of(file);
        if (known != null && state.equals(known.file())) {
            return new LoadedList(/* rules= */ null, CacheValidators.NONE, state, now);
        }
        RuleSet rules = parseRules(file, source);
        requireMinRules(source, rules, minRules);
        return new LoadedList(rules, CacheValidators.NONE, state, now);
    }

    private static void requireMinRules(ListSource source, RuleSet rules, int minRules) throws IOException {
        if (rules.size() < minRules) {
            throw new IOException("the new version has " + rules.size() + " rules, fewer than the " + minRules
                    + " that shrink_limit requires; to accept it: lb dns accept " + source.name());
        }
    }

    private LoadedList fetch(ListSource source, ListLocation.AtUrl location, CacheValidators known, int minRules)
            throws IOException, InterruptedException {
        Instant now = clock.instant();
        Path temporaryFile = cache.createTemporaryFile(location.url());
        try {
            Optional<CacheValidators> fetched =
                    download.fetch(location.url(), known, temporaryFile, source.maxBytes(), source.timeout());
            if (fetched.isEmpty()) {
                cache.updateMetadata(location.url(), known, now);
                return new LoadedList(/* rules= */ null, known, /* file= */ null, now);
            }
            if (Files.size(temporaryFile) == 0) {
                throw new IOException("the file is empty");
            }
            RuleSet rules = parseRules(temporaryFile, source);
            if (rules.size() == 0 && rules.refusedCount() > 0) {
                throw new IOException("no valid rule, " + rules.refusedCount() + " lines refused");
            }
            requireMinRules(source, rules, minRules);
            cache.store(location.url(), temporaryFile, fetched.get(), now);
            return new LoadedList(rules, fetched.get(), /* file= */ null, now);
        } finally {
            Files.deleteIfExists(temporaryFile);
        }
    }

    /** Deletes stored versions of lists that are not in {@code sources}. */
    void deleteUnused(List<ListSource> sources) {
        Set<URI> used = new HashSet<>();
        for (ListSource source : sources) {
            if (source.location() instanceof ListLocation.AtUrl at) {
                used.add(at.url());
            }
        }
        try {
            cache.deleteUnused(used);
        } catch (IOException e) {
            LOG.warn("msg=\"cannot delete unused filter lists of earlier runs\"", e);
        }
    }

    private RuleSet parseRules(Path file, ListSource source) throws IOException {
        try (InputStream in = BoundedInput.open(file, source.maxBytes())) {
            synchronized (parseLock) {
                return RuleSet.read(in, maxRules, groups::contains);
            }
        } catch (FilterLimitException e) {
            throw new IOException(ErrorText.of(e), e);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        }
    }
}
