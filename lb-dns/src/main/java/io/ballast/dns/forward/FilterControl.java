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
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the filter at run time: pauses, names that operators allow or block, and the schedules of groups. Pauses survive
 * reloads; names also survive restarts.
 *
 * <p>Thread safety: any thread may call it; a call may write a small file. Timed changes run on the control plane.
 */
public final class FilterControl {

    /** The default duration of a pause. */
    public static final Duration DEFAULT_PAUSE = Duration.ofMinutes(5);

    /** The longest pause. */
    public static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    /** The clock is looked at this often at least, since it may be set. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private static final String SUBJECT = "dns filter";

    private final ControlPlane control;
    private final NameHash hash;
    private final Runnable changed;
    private final OperatorRulesFile file;
    private final FilterPauses pauses = new FilterPauses();
    private @Nullable OperatorRules rules;
    private @Nullable NameFilter filter;
    private DnsFilterConfig config = DnsFilterConfig.NOTHING;
    private @Nullable FilterLists lists;
    private @Nullable ScheduledTask next;

    /**
     * @param hash of the names of queries
     * @param changed called when other rules hold than before
     */
    FilterControl(ListSetup setup, NameHash hash, Runnable changed) {
        this.control = setup.control();
        this.file = new OperatorRulesFile(setup.cache());
        this.hash = hash;
        this.changed = changed;
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
    synchronized void use(@Nullable NameFilter active, DnsFilterConfig by, @Nullable FilterLists follows) {
        filter = active;
        config = by;
        lists = follows;
        if (active != null && rules != null) {
            active.publish(rules); // they may have changed since it was prepared
        }
        refresh();
    }

    /** Applies the current schedules to the groups, and schedules the next change. */
    private synchronized void refresh() {
        if (next != null) {
            next.cancel();
            next = null;
        }
        Instant now = control.clock().instant();
        pauses.expire(now);
        if (filter == null) {
            return;
        }
        Instant change = filter.groups().refresh(now, pauses::isPaused);
        Instant due = change.isBefore(pauses.firstEnd()) ? change : pauses.firstEnd();
        if (due.equals(Instant.MAX)) {
            return;
        }
        Instant latest = now.plus(MAX_WAIT);
        Duration wait =
                due.isAfter(latest) ? MAX_WAIT : Duration.between(now, due).plusMillis(1);
        next = control.scheduleTask(this::refresh, wait);
    }

    /**
     * Filters nothing for a while, for all groups or one.
     *
     * @throws IllegalArgumentException if there is no such group, or the time is too long
     */
    public synchronized void pause(Duration time, Optional<String> group, String who) {
        Checks.that(
                time.compareTo(Duration.ofSeconds(1)) >= 0 && time.compareTo(LONGEST_PAUSE) <= 0,
                "seconds",
                time.toSeconds(),
                "1.." + LONGEST_PAUSE.toSeconds());
        requireGroup(group);
        pauses.put(group, new Pause(control.clock().instant().plus(time), who));
        refresh();
        tell(ofGroup(group) + "paused for " + time.toSeconds() + " s", who);
    }

    /**
     * Filters again: all groups, or one that was paused for itself.
     *
     * @throws IllegalArgumentException if there is no such group, or it is paused with all others
     */
    public synchronized void resume(Optional<String> group, String who) {
        requireGroup(group);
        if (pauses.end(group)) {
            refresh();
            tell(ofGroup(group) + "resumed", who);
            return;
        }
        group.ifPresent(name -> Checks.that(
                pauses.ofAll().isEmpty(), "group", name, "one that is paused for itself; all are paused at once"));
    }

    private static String ofGroup(Optional<String> group) {
        return group.map(name -> "group " + name + " ").orElse("");
    }

    private void requireGroup(Optional<String> group) {
        List<String> names =
                present().groups().policies().stream().map(ClientPolicy::group).toList();
        group.ifPresent(name -> Checks.that(names.contains(name), "group", name, "one of " + names));
    }

    /**
     * Allows a name and all names below it, regardless of lists.
     *
     * @throws IllegalArgumentException if the name is invalid, or there are too many
     * @throws IOException if it cannot be written; nothing has changed then
     */
    public synchronized void allow(String name, String who) throws IOException {
        change(present(), current().with(name, /* isAllowed= */ true), "allowed " + name, who);
    }

    /** Blocks a name and all names below it, likewise. */
    public synchronized void block(String name, String who) throws IOException {
        change(present(), current().with(name, /* isAllowed= */ false), "blocked " + name, who);
    }

    /** Forgets that a name was allowed or blocked; if neither was, that is an {@link IllegalArgumentException}. */
    public synchronized void forget(String name, String who) throws IOException {
        change(present(), current().without(name), "forgot " + name, who);
    }

    /**
     * Fetches a list now, and accepts it even with few rules.
     *
     * @throws IllegalArgumentException if there is no such list
     */
    public synchronized void accept(String list, String who) {
        List<String> names = config.lists().stream().map(RuleList::name).toList();
        Checks.that(lists != null && names.contains(list), "list", list, "one of " + names);
        if (lists != null) {
            lists.accept(names.indexOf(list));
        }
        tell("accepted list " + list, who);
    }

    private OperatorRules current() {
        return rules == null ? OperatorRules.none(hash) : rules;
    }

    private void change(NameFilter present, OperatorRules changedTo, String text, String who) throws IOException {
        file.write(changedTo);
        rules = changedTo;
        present.publish(changedTo);
        changed.run();
        tell(text, who);
    }

    private NameFilter present() {
        if (filter == null || config.equals(DnsFilterConfig.NOTHING)) {
            throw new IllegalArgumentException("filter: none (expected: dns.forward.filter in the configuration)");
        }
        return filter;
    }

    private void tell(String text, String who) {
        String by = who.isEmpty() ? text : text + " by " + who;
        control.execute(() -> control.timeline().add(Origin.OPERATOR, SUBJECT, by));
    }

    /** Returns the changes by operators, and the current filter settings of groups. */
    public synchronized FilterState state() {
        pauses.expire(control.clock().instant());
        List<FilterState.Group> groups = filter == null
                ? List.of()
                : filter.groups().policies().stream().map(this::group).toList();
        return new FilterState(pauses.ofAll(), groups, current().rules());
    }

    private FilterState.Group group(ClientPolicy policy) {
        List<String> lists = IntStream.range(0, config.lists().size())
                .filter(list -> policy.isFiltered() && (policy.lists() >>> list & 1) != 0)
                .mapToObj(list -> config.lists().get(list).name())
                .toList();
        return new FilterState.Group(policy.group(), policy.isFiltered(), lists, pauses.of(policy.group()));
    }

    synchronized void close() {
        filter = null;
        refresh();
    }
}
