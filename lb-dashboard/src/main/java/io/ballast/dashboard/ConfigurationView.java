package io.ballast.dashboard;

import java.util.Map;

/**
 * The configuration in force for those who may look at it: in long form, with every default, and without secrets.
 *
 * <p>Asked beside the dashboard's event loop; may take a while. What is told is that of the moment of the call.
 */
public interface ConfigurationView {

    /** The whole as maps, lists, texts, numbers and truth values, by the keys of the long form. */
    Map<String, Object> tree();

    /** The same as a file would have it, in YAML. */
    String yaml();
}
