package io.ballast.server.compose;

import io.ballast.dashboard.source.DnsFilterOverrides;
import io.ballast.dns.forward.FilterControl;
import io.ballast.dns.forward.FilterState;
import io.ballast.dns.forward.FilterState.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the API access to the DNS filter, which applies to names outside the zones. */
record FilterOverrides(FilterControl filter) implements DnsFilterOverrides {

    @Override
    public Map<String, Object> state() {
        FilterState state = filter.state();
        Map<String, Object> all = new LinkedHashMap<>(pause(state.globalPause()));
        all.put("groups", state.groups().stream().map(FilterOverrides::group).toList());
        List<Map<String, Object>> added = state.operatorRules().stream()
                .map(rule ->
                        Map.<String, Object>of("name", rule.name(), "action", rule.isAllowed() ? "allow" : "block"))
                .toList();
        all.put("added", added);
        return all;
    }

    private static Map<String, Object> group(FilterState.Group group) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", group.name());
        fields.put("filtered", group.isFiltered());
        fields.put("lists", group.lists());
        fields.putAll(pause(group.pause()));
        return fields;
    }

    private static Map<String, Object> pause(Optional<Pause> pause) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "paused_until", pause.map(some -> some.until().toEpochMilli()).orElse(0L));
        fields.put("paused_by", pause.map(Pause::operatorName).orElse(""));
        return fields;
    }

    @Override
    public void pause(Optional<Duration> time, Optional<String> group, String who) {
        filter.pause(time.orElse(FilterControl.DEFAULT_PAUSE), group, who);
    }

    @Override
    public void resume(Optional<String> group, String who) {
        filter.resume(group, who);
    }

    @Override
    public void allow(String name, String who) throws IOException {
        filter.allow(name, who);
    }

    @Override
    public void block(String name, String who) throws IOException {
        filter.block(name, who);
    }

    @Override
    public void acceptList(String list, String who) {
        filter.accept(list, who);
    }

    @Override
    public void removeOverride(String name, String who) throws IOException {
        filter.removeRule(name, who);
    }
}
