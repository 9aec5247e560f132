/** The tests may run inside a goalgraph run, as this project's own plan has them do: they must not see it. */

delete process.env.GOALGRAPH_CHILD;
