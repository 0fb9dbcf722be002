@NullMarked
package io.ballast.agent.node;

import org.jspecify.annotations.NullMarked;
