package io.ballast.dns.forward.filter.list;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.FilterTable;
import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.RuleSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All configured lists. This class reads the lists, watches them for changes, and compiles them to a
 * {@link FilterTable} whenever a list has changed.
 *
 * <p>If a list cannot be read again or would exceed the limit of rules, it keeps its current rules; its
 * {@link ListState} and the timeline give the reason. A disabled list has no rules and is not fetched.
 *
 * <p>Thread safety: any thread may call it. Its state changes on the control plane, which also publishes the
 * tables; {@link #start} itself publishes the first one.
 */
public final class FilterLists implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FilterLists.class);
    private static final double MIN_JITTER = 0.9;
    private static final double MAX_JITTER = 1.1;

    private final FilterListsSetup setup;
    private final ControlPlane control;
    private final Executor backgroundExecutor;
    private final Executor fetchExecutor;
    private final RandomGenerator random;
    private final ListReader reader;
    private final Consumer<FilterTable> publisher;

    /** The lists by id. */
    private final Map<Integer, TrackedList> lists = new HashMap<>();

    private volatile List<String> warnings = List.of();
    private boolean isCompiling;
    private boolean isOutdated;
    private boolean isClosed;
    private volatile List<ListSource> sources = List.of();
    private volatile List<ListState> states = List.of();
    private volatile Map<Integer, RuleSet> currentRules = Map.of();

    /**
     * Reads files, inline rules and the lists downloaded by an earlier run. Publishes the table of their rules, and
     * starts to watch all lists for changes.
     *
     * @param publisher callback that receives every new table; called on the calling thread for the first table, and on
     *     the control plane for all later tables
     * @throws FilterListException if a file or an inline rule cannot be read, or there are too many rules
     */
    public static FilterLists start(FilterListsSetup setup, List<ListSource> sources, Consumer<FilterTable> publisher)
            throws FilterListException {
        FilterLists lists = new FilterLists(setup, publisher);
        Map<Integer, LoadedList> read = lists.read(sources, Map.of());
        publisher.accept(lists.compile(combine(sources, read, Map.of())));
        lists.sources = List.copyOf(sources);
        lists.warnings = sources.stream()
                .flatMap(source -> ListReport.of(source.name(), rules(read.get(source.id()))).stream())
                .toList();
        setup.control().execute(() -> lists.apply(sources, read, /* isFirst= */ true));
        return lists;
    }

    /** Deletes downloaded files of lists that are no longer used. Returns immediately. */
    public void deleteUnusedFiles() {
        List<ListSource> activeSources = sources;
        backgroundExecutor.execute(() -> reader.deleteUnused(activeSources));
    }

    private FilterLists(FilterListsSetup setup, Consumer<FilterTable> publisher) {
        this.setup = setup;
        this.control = setup.control();
        this.backgroundExecutor = setup.backgroundExecutor();
        this.fetchExecutor = setup.fetchExecutor();
        this.random = setup.random();
        this.publisher = publisher;
        this.reader = new ListReader(
                setup.download(),
                new ListCache(setup.cacheDirectory()),
                control.clock(),
                setup.maxRules(),
                setup.groups());
    }

    /**
     * Changes the configured lists; lists with an unchanged id and location keep their rules. This method reads files,
     * so it must not be called on the control plane. Only one call at a time is allowed.
     *
     * @throws FilterListException under the same conditions as {@link #start}; in this case, nothing has changed
     */
    public void configure(List<ListSource> changed) throws FilterListException {
        Map<Integer, RuleSet> known = new HashMap<>();
        changed.stream()
                .filter(this::isTracked)
                .forEach(source -> known.put(source.id(), currentRules.getOrDefault(source.id(), RuleSet.EMPTY)));
        Map<Integer, LoadedList> read = read(changed, known);
        sources = List.copyOf(changed);
        control.execute(() -> apply(changed, read, /* isFirst= */ false));
    }

    private boolean isTracked(ListSource source) {
        return sources.stream().anyMatch(known -> isSameSource(known, source));
    }

    private static boolean isSameSource(ListSource known, ListSource source) {
        return known.id() == source.id()
                && known.isEnabled() == source.isEnabled()
                && known.location().equals(source.location());
    }

    /** Reads a list now and accepts it even if it has fewer rules than before. */
    public void accept(int id) {
        control.execute(() -> {
            TrackedList list = lists.get(id);
            if (list != null && list.source().isEnabled()) {
                list.acceptsAnySize = true;
                refresh(list);
            }
        });
    }

    /** Returns the warnings of the first read: refused lines and broad rules. */
    public List<String> warnings() {
        return warnings;
    }

    /** Starts an immediate read of a list, if the list is enabled. */
    public void refresh(int id) {
        control.execute(() -> {
            TrackedList list = lists.get(id);
            if (list != null && list.source().isEnabled()) {
                refresh(list);
            }
        });
    }

    /** Returns the states of the lists, ordered by id. */
    public List<ListState> states() {
        return states;
    }

    /** Stops watching the lists; the last published table is kept. */
    @Override
    public void close() {
        control.execute(() -> {
            isClosed = true;
            lists.values().forEach(FilterLists::removeList);
        });
    }

    private static void requireDistinct(List<ListSource> sources) throws FilterListException {
        Set<Object> taken = new HashSet<>();
        List<String> problems = new ArrayList<>();
        for (ListSource source : sources) {
            if (!taken.add(source.id())) {
                problems.add("list " + source.name() + ": another list has the id " + source.id());
            }
            if (source.location() instanceof ListLocation.AtUrl at && !taken.add(at.url())) {
                problems.add("list " + source.name() + ": another list has the same url");
            }
        }
        throwIfAny(problems);
    }

    private static void throwIfAny(List<String> problems) throws FilterListException {
        if (!problems.isEmpty()) {
            throw new FilterListException(problems);
        }
    }

    /**
     * Reads new lists that are available without network access. A stored copy of a downloaded list that
     * exceeds a limit is ignored and downloaded again later, so that a growing list does not prevent a restart.
     */
    private Map<Integer, LoadedList> read(List<ListSource> all, Map<Integer, RuleSet> known)
            throws FilterListException {
        requireDistinct(all);
        Map<Integer, LoadedList> read = new HashMap<>();
        List<String> problems = new ArrayList<>();
        List<ListSource> localFirst = all.stream()
                .filter(source -> source.isEnabled() && !known.containsKey(source.id()))
                .sorted(Comparator.comparing(source -> source.location() instanceof ListLocation.AtUrl))
                .toList();
        for (ListSource source : localFirst) {
            try {
                Optional<LoadedList> loaded = reader.readLocal(source);
                if (loaded.isPresent()) {
                    read.put(source.id(), loaded.get());
                    FilterTable.check(combine(all, read, known), setup.maxRules());
                }
            } catch (IOException e) {
                problems.add("list " + source.name() + ": " + ErrorText.of(e));
            } catch (FilterLimitException e) {
                read.remove(source.id());
                if (!(source.location() instanceof ListLocation.AtUrl)) {
                    problems.add("list " + source.name() + ": " + ErrorText.of(e));
                }
            }
        }
        throwIfAny(problems);
        return read;
    }

    private static List<FilterList> combine(
            List<ListSource> all, Map<Integer, LoadedList> read, Map<Integer, RuleSet> known) {
        return all.stream()
                .map(source -> new FilterList(
                        source.id(),
                        source.name(),
                        source.kind(),
                        source.isEnabled(),
                        known.getOrDefault(source.id(), rules(read.get(source.id())))))
                .toList();
    }

    private FilterTable compile(List<FilterList> all) throws FilterListException {
        try {
            return FilterTable.compile(setup.hash(), all, setup.maxRules());
        } catch (FilterLimitException e) {
            throw new FilterListException(List.of("lists: " + ErrorText.of(e)));
        }
    }

    private static RuleSet rules(@Nullable LoadedList loaded) {
        RuleSet rules = loaded == null ? null : loaded.rules();
        return rules == null ? RuleSet.EMPTY : rules;
    }

    private void apply(List<ListSource> changed, Map<Integer, LoadedList> read, boolean isFirst) {
        if (isClosed) {
            return;
        }
        Map<Integer, TrackedList> previous = new HashMap<>(lists);
        lists.clear();
        for (ListSource source : changed) {
            TrackedList existing = previous.remove(source.id());
            TrackedList list = new TrackedList(source);
            if (existing != null && !read.containsKey(source.id()) && isSameSource(existing.source(), source)) {
                list = existing;
            } else if (existing != null) {
                removeList(existing);
            }
            list.configure(source);
            lists.put(source.id(), list);
            LoadedList loaded = read.get(source.id());
            if (loaded != null) {
                list.apply(loaded);
            }
            scheduleRefresh(list);
        }
        previous.values().forEach(FilterLists::removeList);
        updateStates();
        if (!isFirst) {
            recompile();
        }
    }

    private static void removeList(TrackedList list) {
        list.isRemoved = true;
        if (list.nextRead != null) {
            list.nextRead.cancel();
        }
    }

    private void scheduleRefresh(TrackedList list) {
        if (list.nextRead != null) {
            list.nextRead.cancel();
        }
        if (!list.source().isEnabled() || list.source().location() instanceof ListLocation.Inline) {
            return;
        }
        Duration interval = list.delayUntilNextRead(control.clock().instant());
        double jitter = MIN_JITTER + (MAX_JITTER - MIN_JITTER) * random.nextDouble();
        Duration delay = Duration.ofMillis((long) (interval.toMillis() * jitter));
        list.nextRead = control.scheduleTask(() -> refresh(list), delay);
    }

    private void refresh(TrackedList list) {
        if (list.isReading || list.isRemoved) {
            return;
        }
        list.isReading = true;
        ListSource source = list.source();
        LoadedList last = list.lastLoaded();
        int minRules = list.minRules();
        // A slow server must not delay other lists.
        Executor reading = source.location() instanceof ListLocation.AtUrl ? fetchExecutor : backgroundExecutor;
        reading.execute(() -> {
            try {
                LoadedList loaded = reader.refresh(source, last, minRules);
                control.execute(() -> onReadDone(list, () -> onLoaded(list, loaded)));
            } catch (IOException e) {
                control.execute(() -> onReadDone(list, () -> onFailed(list, ErrorText.of(e))));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                control.execute(() -> onReadDone(list, () -> onFailed(list, "interrupted")));
            } catch (RuntimeException | Error e) {
                control.execute(() -> onReadDone(list, () -> onFailed(list, ErrorText.of(e))));
                throw e;
            }
        });
    }

    private void onReadDone(TrackedList list, Runnable outcome) {
        list.isReading = false;
        if (list.isRemoved) {
            return;
        }
        outcome.run();
        scheduleRefresh(list);
        updateStates();
    }

    private void onLoaded(TrackedList list, LoadedList loaded) {
        RuleSet rules = loaded.rules();
        if (rules == null) {
            list.apply(loaded);
            return;
        }
        try {
            FilterTable.check(
                    lists.values().stream()
                            .map(each -> each.toFilterList(each == list ? rules : each.rules()))
                            .toList(),
                    setup.maxRules());
        } catch (FilterLimitException e) {
            onFailed(list, ErrorText.of(e));
            return;
        }
        list.apply(loaded);
        addToTimeline(list, rules.size() + " rules, " + rules.refusedCount() + " lines refused");
        ListReport.of(list.source().name(), rules).forEach(warning -> LOG.warn("msg=\"{}\"", warning));
        recompile();
    }

    private void onFailed(TrackedList list, String reason) {
        if (list.fail(reason, control.clock().instant())) {
            addToTimeline(
                    list,
                    "cannot be read; the previous version stays in use with "
                            + list.rules().size() + " rules: " + reason);
            LOG.warn(
                    "msg=\"cannot read list {} again; its {} rules stay in use\" reason=\"{}\"",
                    list.source().name(),
                    list.rules().size(),
                    reason);
        }
    }

    private void addToTimeline(TrackedList list, String text) {
        control.timeline().add(Origin.FILE, "filter list " + list.source().name(), text);
    }

    private void updateStates() {
        Map<Integer, RuleSet> rules = new HashMap<>();
        lists.forEach((id, list) -> rules.put(id, list.rules()));
        currentRules = Map.copyOf(rules);
        states = lists.values().stream()
                .map(TrackedList::state)
                .sorted(Comparator.comparingInt(ListState::id))
                .toList();
    }

    /**
     * Compiles a table in the background, one table at a time. Changes that occur during a compilation are
     * compiled together afterwards.
     */
    private void recompile() {
        if (isCompiling) {
            isOutdated = true;
            return;
        }
        isCompiling = true;
        isOutdated = false;
        List<FilterList> all = lists.values().stream()
                .map(list -> list.toFilterList(list.rules()))
                .toList();
        backgroundExecutor.execute(() -> {
            Optional<FilterTable> table = Optional.empty();
            try {
                table = Optional.of(compile(all));
            } catch (FilterListException e) {
                control.execute(() -> control.timeline().add(Origin.FILE, "filter lists", ErrorText.of(e)));
            } finally {
                Optional<FilterTable> compiled = table;
                control.execute(() -> onCompiled(compiled));
            }
        });
    }

    private void onCompiled(Optional<FilterTable> table) {
        isCompiling = false;
        if (!isClosed) {
            table.ifPresent(publisher);
        }
        if (isOutdated) {
            recompile();
        }
    }
}
