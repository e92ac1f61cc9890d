package loops

// options checks the options of a single select or a multi-select.
func (c *checker) options(o *node, at string, p *Property) {
	single := p.Type == SelectProperty
	places, titles := optionPlaces(o, at, len(p.Options))
	switch n := len(p.Options); {
	case single && (n < 2 || n > maxOptions):
		c.fault(codeOptions, at, "It has %d options. Give 2 or %d, the null answer among them.", n, maxOptions)
	case n == 0:
		c.fault(codeOptions, at+"/items", "There is nothing to choose from. Give it options.")
	}
	consts, folded := map[string]bool{}, map[string]bool{}
	for i := range p.Options {
		opt := &p.Options[i]
		if opt.Const == "" {
			c.fault(codeConst, places[i], "Give the option a const that is not empty.")
		} else if consts[opt.Const] {
			c.fault(codeTwins, places[i], "Another option has the same const. Give each its own.")
		}
		consts[opt.Const] = true
		c.title(titles[i], opt.Title, single)
		if fold := foldTitle(opt.Title); folded[fold] && !blank(opt.Title) {
			c.fault(codeTwins, titles[i], "Another option's title looks the same. Say how they differ.")
		} else {
			folded[fold] = true
		}
	}
	c.marks(titles, p.Options)
	for i := range p.Options {
		c.recommends(places[i]+"/description", p.Options[i].Description, inExample)
	}
}

func (c *checker) title(pointer, title string, single bool) {
	if blank(title) {
		c.fault(codeTitle, pointer, "The option shows nothing. Give it a title.")
	}
	if n := characters(title); single && n > maxTitle {
		c.fault(codeTitle, pointer, "The title has %d characters; at most %d fit. Say it shorter; the example can say more.", n, maxTitle)
	}
}
