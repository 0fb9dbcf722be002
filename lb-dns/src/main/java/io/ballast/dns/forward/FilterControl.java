package io.ballast.dns.forward;

import io.ballast.core.Checks;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.forward.FilterState.Pause;
import io.ballast.dns.forward.filter.ClientPolicy;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.OperatorRules;
import io.ballast.dns.forward.filter.list.FilterLists;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes the filter at run time: its pauses, the names that operators allow or block, and the active
 * schedules of groups. Pauses survive reloads; operator rules for names also survive restarts.
 *
 * <p>Thread safety: any thread may call it; a call may write a small file. Timed changes run on the control
 * plane.
 */
public final class FilterControl {

    /** The default duration of a pause. */
    public static final Duration DEFAULT_PAUSE = Duration.ofMinutes(5);

    /** Maximum duration of a pause. */
    public static final Duration MAX_PAUSE = Duration.ofDays(1);

    /** Maximum interval between two checks of the system clock, because the clock may be set at any time. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private static final String SUBJECT = "dns filter";

    private final ControlPlane control;
    private final NameHash hash;
    private final Runnable onRulesChanged;
    private final OperatorRulesFile file;
    private final FilterPauses pauses = new FilterPauses();
    private @Nullable OperatorRules rules;
    private @Nullable NameFilter filter;
    private DnsFilterConfig config = DnsFilterConfig.EMPTY;
    private @Nullable FilterLists lists;
    private @Nullable ScheduledTask nextRefresh;

    /**
     * @param hash hash of query names
     * @param onRulesChanged callback that is called when the active rules have changed
     */
    FilterControl(ListSetup setup, NameHash hash, Runnable onRulesChanged) {
        this.control = setup.control();
        this.file = new OperatorRulesFile(setup.cache());
        this.hash = hash;
        this.onRulesChanged = onRulesChanged;
    }

    /**
     * Applies pauses, operators' rules and schedules to a filter that is not active yet.
     *
     * @throws IOException if the operators' rules cannot be read
     */
    synchronized void prepare(NameFilter prepared) throws IOException {
        if (rules == null) {
            rules = file.read(hash);
        }
        prepared.publish(rules);
        Instant now = control.clock().instant();
        pauses.expire(now);
        prepared.groups().refresh(now, pauses::isPaused);
    }

    /** Sets the active filter; null for none. */
    synchronized void activate(
            @Nullable NameFilter activeFilter, DnsFilterConfig activeConfig, @Nullable FilterLists activeLists) {
        filter = activeFilter;
        config = activeConfig;
        lists = activeLists;
        if (activeFilter != null && rules != null) {
            activeFilter.publish(rules); // the operator rules may have changed since the filter was prepared
        }
        refresh();
    }

    /** Applies the current schedules to the groups, and schedules the next change. */
    private synchronized void refresh() {
        if (nextRefresh != null) {
            nextRefresh.cancel();
            nextRefresh = null;
        }
        Instant now = control.clock().instant();
        pauses.expire(now);
        if (filter == null) {
            return;
        }
        Instant change = filter.groups().refresh(now, pauses::isPaused);
        Instant due = change.isBefore(pauses.earliestEnd()) ? change : pauses.earliestEnd();
        if (due.equals(Instant.MAX)) {
            return;
        }
        Instant latest = now.plus(MAX_WAIT);
        Duration wait =
                due.isAfter(latest) ? MAX_WAIT : Duration.between(now, due).plusMillis(1);
        nextRefresh = control.scheduleTask(this::refresh, wait);
    }

    /**
     * Pauses the filter for all groups or for one group.
     *
     * @throws NoSuchElementException if there is no such group
     * @throws IllegalArgumentException if the duration is not within the limits
     */
    public synchronized void pause(Duration duration, Optional<String> group, String operatorName) {
        Checks.that(
                duration.compareTo(Duration.ofSeconds(1)) >= 0 && duration.compareTo(MAX_PAUSE) <= 0,
                "seconds",
                duration.toSeconds(),
                "1.." + MAX_PAUSE.toSeconds());
        requireGroup(group);
        pauses.put(group, new Pause(control.clock().instant().plus(duration), operatorName));
        refresh();
        addToTimeline(groupPrefix(group) + "paused for " + duration.toSeconds() + " s", operatorName);
    }

    /**
     * Ends the pause of all groups, or the separate pause of one group.
     *
     * @throws NoSuchElementException if there is no such group
     * @throws IllegalStateException if the group has no pause of its own, but a pause of all groups is in effect
     */
    public synchronized void resume(Optional<String> group, String operatorName) {
        requireGroup(group);
        if (pauses.remove(group)) {
            refresh();
            addToTimeline(groupPrefix(group) + "resumed", operatorName);
            return;
        }
        if (group.isPresent() && pauses.globalPause().isPresent()) {
            throw new IllegalStateException(
                    "group " + group.get() + " is paused together with all other groups; resume all groups instead");
        }
    }

    private static String groupPrefix(Optional<String> group) {
        return group.map(name -> "group " + name + " ").orElse("");
    }

    private void requireGroup(Optional<String> group) {
        List<String> names = requireFilter().groups().policies().stream()
                .map(ClientPolicy::group)
                .toList();
        group.ifPresent(name -> requireKnown(names, "group", name));
    }

    private static void requireKnown(List<String> names, String what, String name) {
        if (!names.contains(name)) {
            throw new NoSuchElementException(what + ": " + name + " (expected: one of " + names + ")");
        }
    }

    /**
     * Allows a name and all names below it, regardless of lists.
     *
     * @throws IllegalArgumentException if the name is invalid, or there are too many rules
     * @throws IOException if the rules cannot be written; in this case the rules in use are unchanged
     */
    public synchronized void allow(String name, String operatorName) throws IOException {
        applyRules(
                requireFilter(), currentRules().withRule(name, /* isAllowed= */ true), "allowed " + name, operatorName);
    }

    /**
     * Blocks a name and all names below it, regardless of lists; throws the same exceptions as {@link #allow}.
     */
    public synchronized void block(String name, String operatorName) throws IOException {
        applyRules(
                requireFilter(),
                currentRules().withRule(name, /* isAllowed= */ false),
                "blocked " + name,
                operatorName);
    }

    /**
     * Removes the rule that allows or blocks a name. Throws {@link IllegalArgumentException} if there is no such
     * rule.
     */
    public synchronized void removeRule(String name, String operatorName) throws IOException {
        applyRules(requireFilter(), currentRules().withoutRule(name), "removed the rule for " + name, operatorName);
    }

    /**
     * Fetches a list now, and accepts it even if it has fewer rules than the shrink limit permits.
     *
     * @throws NoSuchElementException if there is no such list
     */
    public synchronized void accept(String list, String operatorName) {
        List<String> names = config.lists().stream().map(RuleList::name).toList();
        requireKnown(lists == null ? List.of() : names, "list", list);
        if (lists != null) {
            lists.accept(names.indexOf(list));
        }
        addToTimeline("accepted list " + list, operatorName);
    }

    private OperatorRules currentRules() {
        return rules == null ? OperatorRules.empty(hash) : rules;
    }

    private void applyRules(NameFilter activeFilter, OperatorRules newRules, String text, String operatorName)
            throws IOException {
        file.write(newRules);
        rules = newRules;
        activeFilter.publish(newRules);
        onRulesChanged.run();
        addToTimeline(text, operatorName);
    }

    private NameFilter requireFilter() {
        if (filter == null || config.equals(DnsFilterConfig.EMPTY)) {
            throw new NoSuchElementException(
                    "the DNS filter is not configured (expected: dns.forward.filter in the configuration)");
        }
        return filter;
    }

    private void addToTimeline(String text, String operatorName) {
        String message = operatorName.isEmpty() ? text : text + " by " + operatorName;
        control.execute(() -> control.timeline().add(Origin.OPERATOR, SUBJECT, message));
    }

    /** Returns the pauses and rules that operators have set, and the current filter settings of all groups. */
    public synchronized FilterState state() {
        pauses.expire(control.clock().instant());
        List<FilterState.Group> groups = filter == null
                ? List.of()
                : filter.groups().policies().stream().map(this::groupState).toList();
        return new FilterState(pauses.globalPause(), groups, currentRules().rules());
    }

    private FilterState.Group groupState(ClientPolicy policy) {
        List<String> lists = IntStream.range(0, config.lists().size())
                .filter(list -> policy.isFiltered() && (policy.lists() >>> list & 1) != 0)
                .mapToObj(list -> config.lists().get(list).name())
                .toList();
        return new FilterState.Group(policy.group(), policy.isFiltered(), lists, pauses.groupPause(policy.group()));
    }

    synchronized void close() {
        filter = null;
        refresh();
    }
}
