package io.ballast.dns.config.forward;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group of clients with its own filter settings.
 *
 * @param name the name in logs and statistics
 * @param clients the networks of the group; a client belongs to the group with the longest matching prefix
 * @param filter the filter settings; absent to filter nothing for these clients
 */
public record DnsClientGroup(String name, List<Cidr> clients, Optional<Filter> filter) {

    /** The maximum number of groups. */
    public static final int MAX_GROUPS = 32;

    /** The maximum number of schedule periods of one group. */
    public static final int MAX_PERIODS = 16;

    /** The name of the default group. */
    public static final String DEFAULT_NAME = "default";

    public DnsClientGroup {
        clients = List.copyOf(clients);
    }

    /** Returns the list selections of the group's filter and of its periods; "all" and "off" are not included. */
    public List<List<String>> listSelections() {
        List<List<String>> selections = new ArrayList<>();
        filter.ifPresent(filter -> {
            filter.lists().ifPresent(selections::add);
            filter.schedule().forEach(period -> selections.add(period.lists()));
        });
        return selections;
    }

    /**
     * The filter settings of a group.
     *
     * @param lists the names of the applied lists; absent for all lists
     * @param answer the kind of answer for blocked names; absent for the filter's default
     * @param addresses the addresses to return for blocked names if {@code answer} is {@link Answer#ADDRESSES}
     * @param timezone the time zone of the schedule; absent for the system's time zone
     * @param schedule periods in which other lists apply; the first matching period is used
     */
    public record Filter(
            Optional<List<String>> lists,
            Optional<Answer> answer,
            List<IpAddress> addresses,
            Optional<ZoneId> timezone,
            List<Period> schedule) {

        /** The settings of a group to which all filter lists apply. */
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), List.of(), Optional.empty(), List.of());

        public Filter {
            lists = lists.map(List::copyOf);
            addresses = List.copyOf(addresses);
            schedule = List.copyOf(schedule);
        }
    }

    /**
     * A period on certain days of the week.
     *
     * @param days weekdays on which the period begins
     * @param from start time
     * @param to end time; on the next day if it is not after {@code from}
     * @param lists names of the lists that apply during the period, instead of the group's lists
     */
    public record Period(Set<DayOfWeek> days, LocalTime from, LocalTime to, List<String> lists) {

        public Period {
            days = Set.copyOf(days);
            lists = List.copyOf(lists);
        }
    }
}
