package io.ballast.dns.forward;

import io.ballast.core.ErrorText;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.forward.filter.FilterTable;
import io.ballast.dns.forward.filter.ListKind;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.list.FilterListException;
import io.ballast.dns.forward.filter.list.FilterLists;
import io.ballast.dns.forward.filter.list.FilterListsSetup;
import io.ballast.dns.forward.filter.list.ListDownload;
import io.ballast.dns.forward.filter.list.ListLocation;
import io.ballast.dns.forward.filter.list.ListSource;
import io.ballast.dns.forward.filter.list.ListState;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active filter with its lists. The lists of a new configuration are read while the previous filter is
 * still active; the new filter replaces it at the commit.
 *
 * <p>Thread safety: prepared, committed and closed by one thread at a time; any thread may read the state of
 * lists.
 */
final class Filters {

    private static final Logger LOG = LoggerFactory.getLogger(Filters.class);

    private final @Nullable ListSetup setup;
    private final NameHash hash;
    private final Runnable onRulesChanged;
    private final @Nullable FilterControl control;
    private final ListDownload download = new ListDownload();
    /** Counters of blocked queries, by list name. A list keeps its counter when the configuration is reloaded. */
    private final Map<String, LongAdder> blockedCounters = new ConcurrentSkipListMap<>();

    private volatile Prepared active = Prepared.NONE;

    /**
     * A filter that is ready to be committed.
     *
     * @param lists the rule lists; null if there is no filter
     */
    record Prepared(
            Optional<DnsFilterConfig> config,
            DnsPolicyConfig policy,
            @Nullable NameFilter filter,
            @Nullable FilterLists lists) {

        static final Prepared NONE =
                new Prepared(Optional.empty(), DnsPolicyConfig.NONE, /* filter= */ null, /* lists= */ null);

        void close() {
            if (lists != null) {
                lists.close();
            }
        }
    }

    /**
     * @param setup the setup of rule lists; null if lists are not supported
     * @param onRulesChanged callback that is called when the active rules have changed, by the thread that changes them
     */
    Filters(@Nullable ListSetup setup, NameHash hash, Runnable onRulesChanged) {
        this.setup = setup;
        this.hash = hash;
        this.onRulesChanged = onRulesChanged;
        this.control = setup == null ? null : new FilterControl(setup, hash, onRulesChanged);
    }

    /** Returns the run-time control; empty if lists are not supported. */
    Optional<FilterControl> control() {
        return Optional.ofNullable(control);
    }

    /**
     * Reads the lists of a configuration, unless the configuration is unchanged.
     *
     * @throws IOException if a list cannot be read, or there are too many rules; the message names the list
     */
    Prepared prepare(Optional<DnsFilterConfig> config, DnsPolicyConfig policy) throws IOException {
        if (config.equals(active.config()) && policy.equals(active.policy())) {
            return active;
        }
        if (config.isPresent()) {
            return readLists(config.get(), policy);
        }
        return policy.equals(DnsPolicyConfig.NONE)
                ? Prepared.NONE
                : new Prepared(config, policy, filter(config, policy), /* lists= */ null);
    }

    private NameFilter filter(Optional<DnsFilterConfig> config, DnsPolicyConfig policy) throws IOException {
        try {
            return new NameFilter(
                    config, policy, hash, list -> blockedCounters.computeIfAbsent(list, unknown -> new LongAdder()));
        } catch (IllegalArgumentException e) {
            throw new IOException("dns.forward.filter: " + ErrorText.of(e), e);
        }
    }

    private Prepared readLists(DnsFilterConfig config, DnsPolicyConfig policy) throws IOException {
        ListSetup listSetup = setup;
        FilterControl filterControl = control;
        if (listSetup == null || filterControl == null) {
            throw new IllegalStateException("filter lists are not set up");
        }
        NameFilter filter = filter(Optional.of(config), policy);
        filterControl.prepare(filter);
        FilterListsSetup listsSetup = new FilterListsSetup(
                hash,
                listSetup.control(),
                listSetup.background(),
                listSetup.fetching(),
                listSetup.cache(),
                download,
                config.maxRules(),
                groups(policy),
                new SplittableRandom());
        try {
            return new Prepared(
                    Optional.of(config),
                    policy,
                    filter,
                    FilterLists.start(listsSetup, sources(config), table -> publish(filter, table)));
        } catch (FilterListException e) {
            throw new IOException("dns.forward.filter: " + ErrorText.of(e), e);
        }
    }

    private static Set<String> groups(DnsPolicyConfig policy) {
        Set<String> names = policy.groups().stream().map(DnsClientGroup::name).collect(Collectors.toSet());
        names.add(DnsClientGroup.DEFAULT_NAME);
        return Set.copyOf(names);
    }

    /** Publishes new rules, and drops cached verdicts that used the previous rules. */
    private void publish(NameFilter filter, FilterTable table) {
        filter.publish(table);
        if (active.filter() == filter) {
            onRulesChanged.run();
        }
    }

    private static List<ListSource> sources(DnsFilterConfig config) {
        List<ListSource> sources = new ArrayList<>();
        for (RuleList list : config.lists()) {
            sources.add(new ListSource(
                    sources.size(),
                    list.name(),
                    list.kind() == Kind.ALLOW ? ListKind.ALLOW : ListKind.BLOCK,
                    list.enabled(),
                    location(list),
                    list.refresh(),
                    ListSource.DEFAULT_TIMEOUT,
                    list.maxSizeBytes(),
                    list.shrinkLimitPercent() / 100.0));
        }
        return sources;
    }

    private static ListLocation location(RuleList list) {
        if (list.file().isPresent()) {
            return new ListLocation.InFile(list.file().get());
        }
        return list.url().isPresent()
                ? new ListLocation.AtUrl(list.url().get())
                : new ListLocation.Inline(list.rules());
    }

    /** Activates the prepared filter. */
    @SuppressWarnings("ReferenceEquality") // an unchanged filter is the same object
    void commit(Prepared next) {
        Prepared previous = active;
        if (next == previous) {
            return;
        }
        active = next;
        previous.close();
        if (control != null) {
            control.activate(next.filter(), next.config().orElse(DnsFilterConfig.EMPTY), next.lists());
        }
        if (next.lists() != null) {
            next.lists().deleteUnusedFiles();
            next.lists().warnings().forEach(warning -> LOG.warn("msg=\"{}\"", warning));
        }
        onRulesChanged.run();
    }

    /** Discards a prepared filter that will not be committed. */
    @SuppressWarnings("ReferenceEquality") // an unchanged filter is the same object
    void abandon(Prepared prepared) {
        if (prepared != active) {
            prepared.close();
        }
    }

    Optional<NameFilter> filter() {
        return Optional.ofNullable(active.filter());
    }

    /** Returns the state of each list. */
    List<ListState> lists() {
        FilterLists lists = active.lists();
        return lists == null ? List.of() : lists.states();
    }

    Map<String, Long> blockedByList() {
        Map<String, Long> all = new LinkedHashMap<>();
        blockedCounters.forEach((list, count) -> all.put(list, count.sum()));
        return all;
    }

    void close() {
        active.close();
        if (control != null) {
            control.close();
        }
    }
}
