package io.ballast.dashboard.source;

import java.util.Map;

/**
 * The active configuration in expanded form, with every default and without secrets.
 *
 * <p>Called outside the dashboard's event loop; may take a while. Each call returns the current configuration.
 */
public interface ConfigurationView {

    /** Returns the configuration as maps, lists, strings, numbers and booleans, keyed as in the expanded form. */
    Map<String, Object> tree();

    /** Returns the configuration as YAML. */
    String yaml();
}
